import { certificate } from '../../../bin/preflight/checks/certificate.ts';
import { hostedZone } from '../../../bin/preflight/checks/hosted-zone.ts';
import type { Config } from '../../../lib/config.ts';
import { cases, config } from './cases.ts';
import { type Answers, Refusal } from './stand-in.ts';

const name = 'logs.example.com';
const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/0a1b';
const zoned = config({ domain: { name, hostedZone: { id: 'Z0123', name: 'example.com' } } });
const certified = config({ domain: { name, certificateArn } });

const zone = (more: object = {}): Answers => ({
  GetHostedZone: {
    HostedZone: { Id: '/hostedzone/Z0123', Name: 'example.com.', CallerReference: 'x', ...more },
  },
  ListResourceRecordSets: { ResourceRecordSets: '', IsTruncated: false, MaxItems: 10 },
});
const record = (Name: string, Type: string): Answers => ({
  ...zone(),
  ListResourceRecordSets: {
    ResourceRecordSets: { ResourceRecordSet: [{ Name, Type }] },
    IsTruncated: false,
    MaxItems: 10,
  },
});

cases(hostedZone, [
  ['is not configured', {}, {}, 'ok', /None/],
  ['takes the name', zone(), zoned, 'ok', /example\.com \(Z0123\) takes logs/],
  [
    'does not exist',
    { GetHostedZone: new Refusal('NoSuchHostedZone', 'No.', 404) },
    zoned,
    'failed',
    /no hosted zone Z0123/,
  ],
  ['has another name', zone({ Name: 'example.org.' }), zoned, 'failed', /zone example\.org\., not/],
  ['is private', zone({ Config: { PrivateZone: true } }), zoned, 'failed', /private zone/],
  ['has the record already', record(`${name}.`, 'A'), zoned, 'failed', /record for logs\.example/],
  ['has another address for it', record(`${name}.`, 'CNAME'), zoned, 'failed', /already/],
  ['has records of other names', record('www.example.com.', 'A'), zoned, 'ok', /takes/],
  ['has other records of the name', record(`${name}.`, 'TXT'), zoned, 'ok', /takes/],
  [
    'has the record of the stack',
    {
      ...record(`${name}.`, 'A'),
      ListStackResources: {
        StackResourceSummaries: {
          member: [{ PhysicalResourceId: name, ResourceStatus: 'CREATE_COMPLETE' }],
        },
      },
    },
    zoned,
    'ok',
    /takes/,
  ],
  ['is not answered', { ...zone(), GetHostedZone: {} }, zoned, 'unchecked', /without the zone/],
]);

const issued = (more: object = {}): Answers => ({
  DescribeCertificate: { Certificate: { Status: 'ISSUED', DomainName: name, ...more } },
});

const elsewhere: { readonly config: Config } = config({
  domain: { name, certificateArn: certificateArn.replace('eu-west-1', 'us-east-1') },
});

cases(certificate, [
  ['is not needed', {}, {}, 'ok', /No domain/],
  ['is made by the deployment', {}, zoned, 'ok', /makes one/],
  ['is issued', issued(), certified, 'ok', /issued for logs\.example\.com/],
  [
    'is for all names of the zone',
    issued({ DomainName: '*.example.com' }),
    certified,
    'ok',
    /issued/,
  ],
  [
    'is for the name among others',
    issued({ DomainName: 'a.example.com', SubjectAlternativeNames: ['Logs.example.com'] }),
    certified,
    'ok',
    /issued/,
  ],
  [
    'is for names two labels up',
    issued({ DomainName: '*.com' }),
    certified,
    'failed',
    /for \*\.com, not for logs/,
  ],
  ['is not issued yet', issued({ Status: 'PENDING_VALIDATION' }), certified, 'failed', /PENDING/],
  ['is one of another Region', issued(), elsewhere, 'failed', /not one of eu-west-1/],
  [
    'does not exist',
    { DescribeCertificate: new Refusal('ResourceNotFoundException') },
    certified,
    'failed',
    /no such certificate/,
  ],
  ['is not answered', { DescribeCertificate: {} }, certified, 'unchecked', /without the cert/],
]);
