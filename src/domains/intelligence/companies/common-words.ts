/**
 * Names of listed companies that official texts use more often as words. Names such as `Apple` and `Amazon` are
 * omitted, because headlines of these texts mostly mean the company. Names of at most three letters count only in
 * capitals.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `allied amplitude appreciate arena authentic ball bandwidth banner bark beneficient best beyond bill block bots
    capstone cars celsius cheer citizens city coffee coherent compass cool cosmos crane crown crypto delta deluxe
    diodes eastern elastic emerald employers endeavor energy equitable everest evergreen exponent express flex
    fluent fossil freedom frontier fuse gambling genius glimpse gravity guess guild harmonic healing hello highway
    honest immersion infinite innovate integer intelligent interface intrusion joint kernel kinetic latch legible
    lemonade lion lithium lottery lucid mastermind match meridian monday mosaic navigator news nice noble noodles
    nova orange paid paramount perfect pineapple polished pony pool porch post premier progressive pros prudential
    quantum recruiter reliability reliance reliant remark repay rocket root rumble scholastic scores snail snap
    sound southern spar star stem stride target team tilt toast track transnational trip triumph unit universal
    upstart vector vertex view visa visionary waters weed whiting winners workhorse worlds yellow`.split(/\s+/),
);
