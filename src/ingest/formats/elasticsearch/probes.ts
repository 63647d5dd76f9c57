/** What Elastic's clients ask before they send. */
import type { Probe } from '../../decode/format.ts';
import { elasticsearchAnswer } from './answers.ts';

/**
 * The last minor version of the major one that clients of both 8 and 9 talk to. A Beat refuses a server that is
 * older than itself, unless it has `allow_older_versions`.
 */
const VERSION = '8.19.0';

const ROOT = elasticsearchAnswer(200, {
  name: 'sluice',
  cluster_name: 'sluice',
  cluster_uuid: 'sluice',
  version: {
    number: VERSION,
    build_flavor: 'default',
    build_type: 'docker',
    lucene_version: '9.12.2',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
});

const LICENSE = { status: 'active', uid: 'sluice', type: 'basic', mode: 'basic' };

/**
 * The root, which pages of browsers may have for themselves; the licence, which Beats and Logstash check; and the
 * setup of templates, which has nothing to do here: what is asked for exists, and what is put is taken for done.
 */
export const elasticsearchProbes: readonly Probe[] = [
  { methods: ['GET'], path: '/', notForPages: true, answer: ROOT },
  { methods: ['GET'], path: '/_license', answer: elasticsearchAnswer(200, { license: LICENSE }) },
  {
    methods: ['GET'],
    path: '/_xpack',
    answer: elasticsearchAnswer(200, {
      license: LICENSE,
      features: { ilm: { available: false, enabled: false } },
    }),
  },
  {
    methods: ['GET'],
    path: '/_cluster/health',
    answer: elasticsearchAnswer(200, { cluster_name: 'sluice', status: 'green' }),
  },
  ...['/_template/*', '/_index_template/*', '/_component_template/*', '/_ilm/*', '/_ingest/*'].map(
    (path): Probe => ({
      methods: ['GET', 'PUT'],
      path,
      answer: elasticsearchAnswer(200, { acknowledged: true }),
    }),
  ),
];
