/** dynalite 4 has no types of its own; this is what we use of it. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options: {
    /** Directory of the LevelDB store; in memory when left out. */
    path?: string;
    /** How long a new table stays in CREATING; milliseconds, 500 when left out. */
    createTableMs?: number;
  }): Server;
}
