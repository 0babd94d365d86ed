// Holds the embedded server of the folder named as argument, as a running Lavagna, until killed.
import { startEmbedded } from '../../db/operator/database/start-embedded.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('which folder?');
await startEmbedded({ dataDir, role: 'service' });
console.log('holding');
process.on('disconnect', () => process.exit());
