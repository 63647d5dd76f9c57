import type { AthenaExecution, Ending } from './athena-execution.ts';

/** "Athena Query State Change" as EventBridge brings it (Athena user guide, "Monitor with EventBridge"). */
export function stateChange({ id, workGroup }: AthenaExecution, { State }: Ending): object {
  return {
    version: '0',
    id,
    'detail-type': 'Athena Query State Change',
    source: 'aws.athena',
    account: '123456789012',
    time: '2026-02-03T14:25:36Z',
    region: 'eu-west-1',
    resources: [],
    detail: {
      versionId: '0',
      currentState: State,
      previousState: 'RUNNING',
      statementType: 'DML',
      queryExecutionId: id,
      workgroupName: workGroup,
      sequenceNumber: '3',
    },
  };
}
