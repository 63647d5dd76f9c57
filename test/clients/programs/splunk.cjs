const { Logger } = require('splunk-logging');

const { SLUICE_URL, SLUICE_KEY } = process.env;

const logger = new Logger({ token: SLUICE_KEY, url: SLUICE_URL, maxBatchCount: 0 });
logger.error = (error) => {
  throw error;
};
for (let number = 0; number < 100; number += 1) {
  logger.send({
    message: `splunk ${number}`,
    metadata: { host: 'web-1', source: 'shop', sourcetype: 'app', index: 'main' },
  });
}
logger.flush((error, _response, body) => {
  if (error) throw error;
  console.log(JSON.stringify(body));
});
