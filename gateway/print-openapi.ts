// `npm run -s openapi`: the document of the HTTP API, for those who generate clients.
import { endWithoutOutput } from '../db/runtime/output.ts';
import { makeDocument } from './openapi/document.ts';
import { routes } from './routes/routes.ts';

endWithoutOutput();
console.log(JSON.stringify(makeDocument(routes), null, 2));
