import '../browser/panel-edits.test.ts';
