import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { allow } from '../shared/permissions.ts';
import type { ServiceProps } from '../shared/service-props.ts';

/** The SNS topic of alerts that users of the service define; alarms of the service have topics of their own. */
export class AlertNotifications extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { name, config }: ServiceProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { topicName: `${name}-alerts`, enforceSSL: true });
    for (const email of config.alertEmails) {
      this.topic.addSubscription(new EmailSubscription(email));
    }
  }

  /** Variables of functions that tell of alerts. */
  get environment() {
    return { ALERT_TOPIC: this.topic.topicArn };
  }

  get publish(): PolicyStatement {
    return allow(['sns:Publish'], this.topic.topicArn);
  }
}
