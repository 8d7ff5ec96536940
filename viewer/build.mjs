// Bundles src/ into one HTML file, the template that the C++ side fills: node build.mjs OUTPUT.html
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist', 'report_template.html');

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',  // the page must not depend on how a server labels it
    legalComments: 'inline',  // the licenses of what is bundled stay in the page
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

const [script, style] = await Promise.all([bundle('main.js'), bundle('style.css')]);
// Only the one script whose hash stands in the page may run: text that slips in as markup stays dead.
const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
const pieces = { INSERT_SCRIPT_HASH: hash, INSERT_STYLE: style, INSERT_SCRIPT: script };
const page = readFileSync(join(here, 'src', 'template.html'), 'utf8')
  .replace(/INSERT_SCRIPT_HASH|INSERT_STYLE|INSERT_SCRIPT/g, (name) => pieces[name]);

for (const [text, count] of [['</script', 2], ['</style', 1], ['HOLOMORPH_REPORT_DATA', 1]])
  if (page.split(text).length - 1 !== count) throw new Error(`the page must hold '${text}' ${count} times`);

mkdirSync(dirname(output), { recursive: true });
writeFileSync(`${output}.partial`, page);
renameSync(`${output}.partial`, output);
console.log(`${output}: ${Math.round(page.length / 1000)} kB`);
