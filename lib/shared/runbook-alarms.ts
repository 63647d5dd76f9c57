import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** `page`: a person has to act now, or events are at stake. `ticket`: within days. */
export type Severity = 'page' | 'ticket';

/** Where alarms are published, by severity. */
export type AlarmTopics = Readonly<Record<Severity, ITopic>>;

export interface AlarmDefinition {
  /** Name of the alarm. */
  readonly id: string;
  readonly severity: Severity;
  /** Anchor of its section in the runbook. @default the alarm's name */
  readonly section?: string;
  /** What is wrong, for someone woken up by it. */
  readonly says: string;
  readonly metric: IMetric;
  /** The alarm rings at this value and above. */
  readonly threshold: number;
  /** Periods of the metric in a row. @default 1 */
  readonly periods?: number;
  /**
   * What it means that the metric says nothing. `MISSING`: something has stopped, which is told like an
   * alarm when there was data before; an alarm that never had any, as in a first deployment, waits for it.
   *
   * @default all is well: most metrics are absent while nothing happens
   */
  readonly missing?: TreatMissingData;
}

export interface RunbookAlarmsProps {
  /** Start of every alarm's name. */
  readonly name: string;
  readonly topics: AlarmTopics;
  /** Page with a section per alarm. */
  readonly runbookUrl: string;
}

/** Period of the alarms' metrics, where nothing asks for another. */
export const ALARM_PERIOD = Duration.minutes(5);

/** Adds alarms that say what is wrong, how urgent it is and where to read on. */
export function addAlarms(
  scope: Construct,
  definitions: readonly AlarmDefinition[],
  { name, topics, runbookUrl }: RunbookAlarmsProps,
): Alarm[] {
  return definitions.map((definition) => {
    const { id, severity, section = id, says } = definition;
    const alarm = new Alarm(scope, id, {
      alarmName: `${name}-${id}`,
      alarmDescription: `${says} Severity: ${severity}. Runbook: ${runbookUrl}#${section}`,
      metric: definition.metric,
      threshold: definition.threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: definition.periods ?? 1,
      treatMissingData: definition.missing ?? TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    if (definition.missing === TreatMissingData.MISSING) alarm.addInsufficientDataAction(action);
    return alarm;
  });
}
