/** Words that say nothing about the subject of a search. */
export const fillers: ReadonlySet<string> = new Set(
  "a about against ago all am an and any are as at be been being between by can compared could currently day days did do does down five for from full get give going had happened happening happens has have how i if in into is it its last many may me might month more most much my need no normal now of on ongoing or our over people per please seasonal should show so than that the their them there these they this those through to today under usual versus via vs want was we were what when where which who whom whose why will with would year years you your".split(
    " ",
  ),
);
