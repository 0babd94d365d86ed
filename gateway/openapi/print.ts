// `npm run -s openapi`: the document of the HTTP API, for those who generate clients.
import { makeDocument } from './document.ts';

console.log(JSON.stringify(makeDocument(), null, 2));
