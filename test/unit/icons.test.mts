import { readdirSync, readFileSync } from 'node:fs';

const folders = ['icons', 'grpc/icons', 'signer/icons'];
const names = folders.flatMap((folder) =>
	readdirSync(folder)
		.filter((file) => !file.endsWith('.dark.svg'))
		.map((file) => `${folder}/${file.replace('.svg', '')}`),
);
const light = (name: string) => readFileSync(`${name}.svg`, 'utf8');
const dark = (name: string) => readFileSync(`${name}.dark.svg`, 'utf8');

/** The background colours of n8n's canvas and panels, in the light and the dark theme. */
const LIGHT = ['#ffffff', '#f5f5f5'];
const DARK = ['#171717', '#2d2d2d'];
const COLOUR = /#[0-9a-f]{6}/g;

/** Computes the contrast of two colours by WCAG: 1 for equal colours, 21 for black on white. */
function contrast(one: string, other: string): number {
	const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(colour: string): number {
	const [red, green, blue] = [1, 3, 5].map((at) => {
		const part = parseInt(colour.slice(at, at + 2), 16) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

describe.each(names)('%s', (name) => {
	test('is one drawing in two palettes', () => {
		const shapes = light(name).replace(COLOUR, '');
		expect(dark(name).replace(COLOUR, '')).toBe(shapes);
		expect(dark(name)).not.toBe(light(name));
	});

	test('is a small square of plain shapes', () => {
		expect(light(name).length).toBeLessThan(1500);
		expect(light(name)).toContain('viewBox="0 0 60 60"');
		expect(light(name)).not.toMatch(/<(?!\/|(?:svg|g|mask|path|rect|circle)\b)|href|style=|on\w+=/);
	});

	test.each([
		['light', light, LIGHT],
		['dark', dark, DARK],
	] as const)('is seen in the %s theme', (_theme, drawing, backgrounds) => {
		const colours = drawing(name).match(COLOUR) ?? [];
		for (const background of backgrounds) {
			const best = Math.max(...colours.map((colour) => contrast(colour, background)));
			expect(best).toBeGreaterThan(3);
		}
	});
});

test('no two drawings are alike', () => {
	expect(new Set(names.map(light)).size).toBe(names.length);
});
