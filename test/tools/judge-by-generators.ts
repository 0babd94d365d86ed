import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LOCALHOST_NAMES, ROOT } from './judge-by-languages.ts';

const execute = promisify(execFile);

/** The last compiler with the interface that generators use. */
const COMPILER = 'typescript@5.9.3';

/** A generator of clients. */
interface Generator {
  /** Its package. */
  tool: string;
  /** The packages that its client or the program imports. */
  imports?: readonly string[];
  command: (out: string) => readonly string[];
  /** A module that uploads a photo by the client, and gives what it was answered. */
  program: string;
}

const UPLOAD = 'export async function upload(base: string, token: string, photo: File)';

const GENERATORS: readonly Generator[] = [
  {
    tool: 'openapi-typescript@7.13.0',
    imports: ['openapi-fetch@0.17.0'],
    command: (out) => ['openapi-typescript', 'openapi.json', '--output', `${out}/api.d.ts`],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './api';
${UPLOAD} {
  const client = createClient<paths>({ baseUrl: base, headers: { Authorization: 'Bearer ' + token } });
  const form = new FormData();
  form.append('file', photo);
  const answer = await client.POST('/admin/photos', {
    body: { file: photo.name },
    bodySerializer: () => form,
  });
  return answer.data?.data;
}`,
  },
  {
    tool: '@hey-api/openapi-ts@0.99.0',
    command: (out) => ['openapi-ts', '-i', 'openapi.json', '-o', out],
    program: `
import { client } from './client.gen';
import { uploadPhoto } from './sdk.gen';
${UPLOAD} {
  client.setConfig({ baseUrl: base, auth: () => token });
  const answer = await uploadPhoto({ body: { file: photo } });
  return answer.data?.data;
}`,
  },
  {
    tool: 'orval@8.38.0',
    imports: ['axios@1.13.2'],
    command: (out) => [
      ...['orval', '--input', 'openapi.json', '--output', `${out}/api.ts`],
      ...['--client', 'axios'],
    ],
    program: `
import axios from 'axios';
import { getRestaurantMenuService } from './api';
${UPLOAD} {
  const Authorization = 'Bearer ' + token;
  const instance = axios.create({ baseURL: base, headers: { Authorization } });
  const service = getRestaurantMenuService(instance);
  const answer = await service.uploadPhoto(photo);
  return answer.data.data;
}`,
  },
  {
    tool: 'openapi-typescript-codegen@0.31.0',
    command: (out) => ['openapi', '--input', 'openapi.json', '--output', out],
    program: `
import { OpenAPI, RecordsService } from './index';
${UPLOAD} {
  OpenAPI.BASE = base;
  OpenAPI.TOKEN = token;
  const answer = await RecordsService.uploadPhoto({ file: photo });
  return answer.data;
}`,
  },
  {
    tool: 'swagger-typescript-api@13.13.0',
    command: (out) => [
      ...['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', out, '-n', 'api.ts'],
    ],
    program: `
import { Api } from './api';
${UPLOAD} {
  const headers = { Authorization: 'Bearer ' + token };
  const { admin } = new Api({ baseUrl: base, baseApiParams: { headers } });
  const answer = await admin.uploadPhoto({ file: photo });
  return answer.data.data;
}`,
  },
];

/** Runs a program's upload and says the photo's id. */
const RUNNER = `
import { readFile } from 'node:fs/promises';
const [module, base, token, file] = process.argv.slice(2);
const { upload } = await import(module);
const photo = new File([await readFile(file)], 'photo.jpg', { type: 'image/jpeg' });
const data = await upload(base, token, photo);
if (typeof data?.id !== 'number') throw new Error(JSON.stringify(data));
process.exit(0);
`;

const STRICT = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
    ...{ moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
  },
};

/** Runs a command with packages that npm fetches. */
function runWith(folder: string, packages: readonly string[], command: readonly string[]) {
  const named = packages.flatMap((one) => ['--package', one]);
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', ...named, ...command], options);
  return { isFine: status === 0, text: stdout + stderr };
}

/** Where generated clients upload a photo. */
interface Target {
  /** The API of a restaurant. */
  base: string;
  token: string;
  /** A JPEG. */
  photo: Uint8Array;
}

/** The complaint about one generator; empty for none. */
async function judgeGenerator(folder: string, out: string, one: Generator, target: Target) {
  const { tool, imports = [], command, program } = one;
  const made = runWith(folder, [COMPILER, tool], command(out));
  if (!made.isFine) return made.text;
  if (imports.length > 0) spawnSync('npm', ['install', '--no-save', ...imports], { cwd: folder });
  await writeFile(join(folder, out, 'upload.ts'), program);
  const project = { ...STRICT, include: [`${out}/**/*.ts`] };
  await writeFile(join(folder, `${out}.json`), JSON.stringify(project));
  const compiled = runWith(folder, [COMPILER], ['tsc', '-p', `${out}.json`]);
  if (!compiled.isFine) return compiled.text;
  const { base, token } = target;
  const preloads = ['--import', 'tsx', '--import', LOCALHOST_NAMES];
  const files = [join(folder, 'run-upload.mjs'), join(folder, out, 'upload.ts')];
  const args = [...preloads, ...files, base, token, join(folder, 'photo.jpg')];
  const ran = await execute(process.execPath, args, { cwd: ROOT }).catch((error) => error);
  return ran instanceof Error ? ran.message : '';
}

/**
 * Lets five public generators make clients of the document, compiles these strictly, and uploads a
 * photo by each.
 *
 * @param folder has `openapi.json`
 */
export async function judgeByGenerators(folder: string, target: Target): Promise<boolean> {
  await writeFile(join(folder, 'run-upload.mjs'), RUNNER);
  await writeFile(join(folder, 'photo.jpg'), target.photo);
  let isFine = true;
  for (const [at, one] of GENERATORS.entries()) {
    const wrong = await judgeGenerator(folder, `client-${at}`, one, target);
    console.log(`${one.tool}: ${wrong || 'compiles strictly, and uploads a photo'}`);
    isFine &&= wrong === '';
  }
  return isFine;
}
