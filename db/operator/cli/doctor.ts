import { examine } from '../doctor/examine.ts';
import type { LoneCommand } from './command.ts';

export const doctor: LoneCommand = {
  name: 'doctor',
  usage: '',
  summary: 'look for what is wrong and say what to do; exit code 1 when something is',
  explanation: [],
  runAlone: async (env) => {
    const checks = await examine(env);
    const failed = checks.some(({ state }) => state === 'bad');
    return { result: { healthy: !failed, checks }, failed };
  },
};
