Kinds of permission that nothing enforces yet: the contract may declare them, and no run is made. Rule S4.3.

  $ writ run --skills skills com.example.kinds.any
  {"success":true,"data":{}}
  $ sed -i 's|^permissions:.*|permissions: ["network:https://api.example.com"]|' skills/*/skill.yaml
  $ writ lint skills/com.example.kinds.any
  skills/com.example.kinds.any/skill.yaml:15:15: note: permissions[0]: `network` is not enforced yet: a run will be refused [permission-not-enforced]
  0 errors, 0 warnings
  $ writ run --skills skills com.example.kinds.any
  ! writ: network:denied: the contract declares network:https://api.example.com, a kind that this version of writ does not enforce yet; a skill that needs it cannot be run
  [11]
  $ sed -i 's|^permissions:.*|permissions: ["credential:todoist"]|' skills/*/skill.yaml
  $ writ run --skills skills com.example.kinds.any
  ! writ: credential:unavailable: the contract declares credential:todoist, a kind that this version of writ does not enforce yet; a skill that needs it cannot be run
  [16]
  $ sed -i 's|^permissions:.*|permissions: ["clipboard:read"]|' skills/*/skill.yaml
  $ writ run --skills skills com.example.kinds.any
  ! writ: policy:refused: the contract declares clipboard:read, a kind that this version of writ does not enforce yet; a skill that needs it cannot be run
  [50]
  $ writ test skills/com.example.kinds.any
  com.example.kinds.any 1.0.0
    FAIL  test 1
          policy:refused: the contract declares clipboard:read, a kind that this version of writ does not enforce yet; a skill that needs it cannot be run
  0 passed, 1 failed
  [1]

A place of this machine that the contract itself names is lacking when it is not there, as a program would be:
  $ sed -i 's|^permissions:.*|permissions: ["filesystem:read:/usr/share/no-such-thing"]|' skills/*/skill.yaml
  $ writ run --skills skills com.example.kinds.any
  ! writ: dependency:missing: /usr/share/no-such-thing: is not on this machine, and the skill reads it whatever its input; install what brings it
  !       `writ doctor --skills skills com.example.kinds.any` shows all that the skill needs of this machine
  [8]
