import { Stack } from 'aws-cdk-lib';
import type { ServiceStack } from '../service-stack.ts';
import type { StorageStack } from '../storage-stack.ts';

export interface DashboardLinksProps {
  readonly name: string;
  readonly service: ServiceStack;
  readonly storage: StorageStack;
  readonly runbookUrl: string;
}

/** Markdown with links from the dashboard to where one looks next. */
export function dashboardLinks({
  name,
  service,
  storage,
  runbookUrl,
}: DashboardLinksProps): string {
  const { region } = Stack.of(service);
  const console = (page: string): string =>
    `https://${region}.console.aws.amazon.com/${page.replace('?', `?region=${region}&`)}`;
  const streams = service.landing.all.map(({ stream }, index) => [
    index === 0 ? 'Landing stream' : `Landing stream ${index + 1}`,
    console(`firehose/home?#/details/${stream.deliveryStreamName}/monitoring`),
  ]);
  const links = {
    Runbook: runbookUrl,
    'Log queries': console(`cloudwatch/home?#logsV2:logs-insights`),
    'Queries of the API': console(
      `athena/home?#/query-history?workgroup=${service.workgroups.api.name}`,
    ),
    'Query editor for analysts': console(
      `athena/home?#/query-editor?workgroup=${service.workgroups.analysts.name}`,
    ),
    ...Object.fromEntries(streams),
    Lake: console(`s3/buckets/${storage.lake.bucket.bucketName}?`),
    'Parked records': console(`sqs/v3/home?#/queues`),
    Functions: console(`lambda/home?#/functions?f0=true&n0=false&op=and&v0=${name}-`),
    Alarms: console(`cloudwatch/home?#alarmsV2:?~(search~'${name})`),
  };
  return Object.entries(links)
    .map(([title, url]) => `[${title}](${url})`)
    .join(' · ');
}
