import { makeDocument } from '../openapi/document.ts';
import type { LoneCommand } from './command.ts';

export const openapi: LoneCommand = {
  name: 'openapi',
  usage: '',
  summary: 'print the OpenAPI 3.1 document of the HTTP API',
  runAlone: async () => ({ result: makeDocument(), failed: false }),
};
