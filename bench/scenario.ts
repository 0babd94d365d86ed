import type { Stage } from './environment.ts';
import type { Row } from './measure/comparison.ts';

/** A figure that was aimed at, and what was measured. */
export interface Goal {
  text: string;
  /** In the unit that `text` names. */
  measured: number;
  atLeast?: number;
  atMost?: number;
}

/** What a scenario found out about one question. */
export interface Finding {
  title: string;
  /** What was sent, or what the reader should know. */
  note?: string;
  /** Servers compared with the first one. */
  rows?: Row[];
  /** Figures that are no comparison: what, and how much with its unit. */
  facts?: [what: string, figure: string][];
  goals?: Goal[];
}

/** One load that Lavagna should bear. To add one, list it in `scenarios.ts`. */
export interface Scenario {
  /** As `--only` takes it. */
  name: string;
  run(stage: Stage): Promise<Finding[]>;
}
