/** Both encodings in one module, so that the bundle has one more part for them and not two. */
export { eventsOfJson } from './push-json.ts';
export { eventsOfProtobuf } from './push-protobuf.ts';
