// The peer of bench_schema: reads lines `VALIDATOR SCHEMA DOCUMENT MODE ITERATIONS`, answers each with the nanoseconds
// of one validation. MODE is `check` (the document is parsed already) or `parse` (JSON.parse and validation).
'use strict'
const fs = require('fs')
const readline = require('readline')

const makers = {
  ajv: (schema) => new (require('ajv/dist/2020'))({ strict: false, allErrors: false }).compile(schema),
  schemasafe: (schema) => require('@exodus/schemasafe').validator(schema, { mode: 'default', allErrors: false }),
}
const compiled = new Map()

function subject(name, schemaPath, documentPath) {
  const key = [name, schemaPath, documentPath].join('\n')
  if (!compiled.has(key)) {
    const text = fs.readFileSync(documentPath, 'utf8')
    const made = {
      validate: makers[name](JSON.parse(fs.readFileSync(schemaPath, 'utf8'))), text, document: JSON.parse(text),
    }
    if (!made.validate(made.document)) throw new Error(name + ' finds ' + documentPath + ' invalid')
    // Compiled code is made fast by use: it is used well before it is measured.
    for (let i = 0; i < 300000; i++) made.validate(made.document)
    for (let i = 0; i < 50000; i++) made.validate(JSON.parse(text))
    compiled.set(key, made)
  }
  return compiled.get(key)
}

function run(line) {
  const [name, schemaPath, documentPath, mode, iterations] = line.split('\t')
  const { validate, text, document } = subject(name, schemaPath, documentPath)
  let held = 0
  const start = process.hrtime.bigint()
  if (mode === 'parse') for (let i = 0; i < +iterations; i++) held += validate(JSON.parse(text)) ? 1 : 0
  else for (let i = 0; i < +iterations; i++) held += validate(document) ? 1 : 0
  const end = process.hrtime.bigint()
  if (held !== +iterations) throw new Error('not valid each time')
  return Number(end - start) / +iterations
}

readline.createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(run(line) + '\n'))
