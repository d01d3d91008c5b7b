//! What the words of answers may mean: the names of the sections of `data/words`, which the build reads too.

use tata_phrases::named;

named! {
    /// What a wording means. A wording may have several; the field decides which one is looked for.
    pub(crate) enum Sense {
        Month = "month",
        /// From Monday as 0.
        Weekday = "weekday",
        Number = "number",
        Ordinal = "ordinal",
        Scale = "scale",
        Currency = "currency",
        Place = "place",
        /// A list, as somebody calls it who speaks of its items.
        Name = "name",
        /// So many days from today.
        Day = "on_day",
        NextWeek = "next_week",
        ThisWeek = "this_week",
        Next = "next",
        Last = "last",
        In = "in",
        Ago = "ago",
        AgoBefore = "ago_before",
        OrdinalEnding = "ordinal_ending",
        Minutes = "minute",
        Hours = "hour",
        Days = "day",
        Weeks = "week",
        Months = "month_unit",
        Years = "year",
        HalfHour = "half_hour",
        HourAndHalf = "hour_and_half",
        At = "at",
        To = "to",
        /// The sum behind it is the least.
        AtLeast = "at_least",
        /// The sum behind it is the most.
        AtMost = "at_most",
        /// Before two sums with an "and" between them.
        Between = "between",
        /// Pay before tax, which every pay is.
        Gross = "gross",
        OClock = "o_clock",
        Am = "am",
        Pm = "pm",
        HalfPast = "half_past",
        HalfTo = "half_to",
        QuarterPast = "quarter_past",
        QuarterTo = "quarter_to",
        Noon = "noon",
        PerHour = "per_hour",
        PerMonth = "per_month",
        PerYear = "per_year",
        Filler = "filler",
        Courtesy = "courtesy",
        Want = "edit.want",
        And = "and",
        Or = "or",
        Yes = "yes",
        No = "no",
        Doubt = "doubt",
        /// Takes an offer, but confirms nothing: "please do".
        Agree = "agree",
        /// Leaves an offer for another time.
        Later = "later",
        /// Speaks of the conversation or of who said what, never of the role: "that is all she gave me".
        Talk = "talk",
        /// Begins a sentence of notes about those who recruit, not about the person sought: "we are".
        Speaker = "speaker",
        /// Takes back what stands before it in notes: "no wait", "scrap that".
        Scrapped = "scrapped",
        /// The same as one word that stands in capitals or behind an arrow: "AutoCAD -> DROPPED".
        ScrapMark = "scrap_mark",
        /// Speaks of the recruitment itself: "on holiday in week 48", "needs the ad text".
        Aside = "aside",
        /// The form of employment, as a line of notes begins with it: "permanent".
        Employed = "employed",
        /// The work begins, as a line of notes begins with it: "from".
        Begins = "begins",
        /// Begins a wish for a document: "write".
        Make = "make",
        /// A job ad, as people call it.
        Ad = "ad",
        /// Says that it is an earlier one.
        Old = "old",
        /// Stands before the name of a position at the head of notes.
        Position = "position",
        /// "But", "except", "not": takes back part of what is said.
        Except = "except",
        Explain = "explain",
        Skip = "skip",
        Back = "back",
        Cancel = "cancel",
        Show = "show",
        Rest = "rest",
        Remove = "edit.remove",
        /// "Take", which needs its "out".
        Take = "edit.take",
        Away = "edit.away",
        Change = "edit.change",
        /// Between what goes and what comes.
        With = "edit.with",
        /// Between what comes and what goes.
        Instead = "edit.instead",
        Add = "edit.add",
        Move = "edit.move",
        /// Before the list that something belongs to.
        As = "edit.as",
        /// Says nothing around a change.
        Small = "edit.small",
        Article = "edit.article",
        Title = "edit.title",
        Accept = "edit.accept",
        Ignore = "edit.ignore",
        All = "edit.all",
        Because = "edit.because",
        Undo = "undo",
        /// "Not".
        Not = "edit.not",
        /// A verb that comes in two parts.
        Parted = "edit.parted",
        /// Its second part.
        Particle = "edit.particle",
        /// Ends a message and says nothing.
        Closing = "edit.closing",
        /// Joins a place to the rest.
        Join = "edit.join",
        /// Only points to what is meant, before it.
        Pointing = "edit.pointing",
        /// And behind it.
        PointingEnd = "edit.pointing_end",
        /// Begins a polite wish.
        Asking = "edit.asking",
        /// Who is asked.
        Asked = "edit.asked",
        /// Says nothing around a rating.
        Rating = "rating",
        /// "Number" before a number.
        NumberWord = "number_word",
        /// A small word in a name: "von".
        NameParticle = "name_particle",
    }
}
