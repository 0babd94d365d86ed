import type { Environment } from './environment.ts';
import type { Finding } from './result.ts';

/** One load that Lavagna must carry. To add one, list it in `scenarios.ts`. */
export interface Scenario {
  /** The name that `--only` takes. */
  name: string;
  run(environment: Environment): Promise<Finding[]>;
}
