import '../browser/panel-fit.test.ts';
