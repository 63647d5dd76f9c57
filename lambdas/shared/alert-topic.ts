import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Publish } from '../../src/alerts/notify/sns.ts';

/** Publishing to a topic. One attempt: notifications are tried again by who sends them. */
export function alertTopic(topicArn: string): Publish {
  const client = new SNSClient({ maxAttempts: 1 });
  return ({ subject, message, attributes }, signal) =>
    client.send(
      new PublishCommand({
        TopicArn: topicArn,
        Subject: subject,
        Message: message,
        MessageAttributes: Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [
            name,
            { DataType: 'String', StringValue: value },
          ]),
        ),
      }),
      { abortSignal: signal },
    );
}
