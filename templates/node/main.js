#!/usr/bin/env node
// Counts the lines and words of a text file: one JSON document on standard input, one on standard output.
//
// The input satisfies the schema in skill.yaml, defaults filled in; writ has seen to that, and looks at the output the
// same way. The file is there because the caller named it; no other file of theirs is. What goes to standard error is
// for people: it is shown when a call fails.
"use strict";
const fs = require("fs");

const SPACE = new Set([..." \t\n\v\f\r"].map((character) => character.charCodeAt(0)));

function count(path, skipBlank) {
  const block = Buffer.alloc(65536);
  const file = fs.openSync(path, "r");
  let lines = 0, words = 0, inWord = false, begun = false, blank = true;
  const endLine = () => {
    if (!blank || !skipBlank) lines++;
    begun = false;
    blank = true;
  };
  for (let length; (length = fs.readSync(file, block, 0, block.length, null)) > 0;) {
    for (const byte of block.subarray(0, length)) {
      if (byte === 0) throw new Error("this is no text: it holds a NUL byte");
      const space = SPACE.has(byte);
      if (!space && !inWord) words++;
      inWord = !space;
      begun = true;
      blank = blank && space;
      if (byte === 10) endLine();
    }
  }
  if (begun) endLine();
  fs.closeSync(file);
  return { lines, words };
}

const given = JSON.parse(fs.readFileSync(0, "utf8"));
let answer;
try {
  answer = { success: true, data: count(given.file, given.skip_blank) };
} catch (error) {
  answer = { success: false, error: error.code ? `the file cannot be read: ${error.code}` : error.message };
}
process.stdout.write(JSON.stringify(answer));
