read -r input || [ -n "$input" ]
i=0
while [ "$i" -lt 30 ]; do
    i=$((i + 1))
    echo "line $i" >&2
done
case $input in
*true*) exit 3 ;;
*) echo '{"success": true, "data": {}}' ;;
esac
