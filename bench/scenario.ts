import type { Environment } from './environment.ts';
import type { Finding } from './result.ts';

/** One load that Lavagna must carry. To add one, list it in `scenarios.ts`. */
export interface Scenario {
  /** As `--only` takes it. */
  name: string;
  run(environment: Environment): Promise<Finding[]>;
}
