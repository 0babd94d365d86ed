import '../browser/panel-story.test.ts';
