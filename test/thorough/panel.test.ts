import '../browser/panel.test.ts';
