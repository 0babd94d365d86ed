import { type Doer, startDoer } from '../processes/child.ts';
import type { LoadJob, LoadReport } from './job.ts';

/** Sends load from a process of its own; fails where an answer is missing, or another than expected. */
export type LoadGenerator = Doer<LoadJob, LoadReport>;

export const startLoadGenerator = () => startDoer<LoadJob, LoadReport>('bench/load/driver.ts');
