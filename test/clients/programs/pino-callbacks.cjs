// Callbacks of the transport: it runs in a thread of its own, so they are named by file and function.
const { randomUUID } = require('node:crypto');
const { writeSync } = require('node:fs');
const { defaultPreparePayload } = require('pino-logflare');

exports.withId = (payload, meta) => ({ ...defaultPreparePayload(payload, meta), id: randomUUID() });

exports.report = ({ batch }, error) => {
  writeSync(1, `${JSON.stringify({ events: batch.length, status: error.response?.status })}\n`);
};
