/** Words that a search ignores, because they say nothing about its subject. */
export const fillers: ReadonlySet<string> = new Set(
  "a able about against ago all am an and another any anything appears are article articles as at be became become becomes been being biggest between both by can charge charges compared could countries currently date dates day days did do does down eight else enough every everything exactly faster figure figures find five for four from full get give gives goes going got had happened happening happens has have her his how i if in into is it its largest last lie lies like many may maybe me might month more most much my name names need new nine no normal nothing now number of on one ongoing or other others our over own people per please point points real really right same say seasonal send seven should show since six so some somebody someone something still suppose ten than that the their them there these they this those three through throughout to today too two under until up upcoming usual versus very via vs want was we were what when where which who whom whose why will with without would year years yet you your".split(
    " ",
  ),
);
