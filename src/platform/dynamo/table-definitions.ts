/** Key schema of the registry: read by CDK and by the local bootstrap. */
export const REGISTRY_TABLE = { partitionKey: 'pk', sortKey: 'sk' } as const;

/** Key schema of the result cache. DynamoDB deletes an item some time after `ttl` (epoch seconds). */
export const CACHE_TABLE = { partitionKey: 'pk', sortKey: 'sk', ttlAttribute: 'ttl' } as const;
