/** The encodings of OTLP/HTTP. */
export const PROTOBUF = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';
