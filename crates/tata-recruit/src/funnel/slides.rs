//! The report for slides: overview, first stages, bottlenecks, actions.

use super::artifact::{FunnelReport, Slide};
use crate::{Key, Texts};

const MOST_STAGES: usize = 5;
const MOST_POINTS: usize = 3;

/// Four slides; one without points is left out.
pub(super) fn slides(report: &FunnelReport) -> Vec<Slide> {
    let texts = Texts::of(report.voice);
    let title = |name: Key| texts.get(name).to_owned();
    let stages = report.stages.iter().take(MOST_STAGES).map(|row| {
        let number = texts.count(row.count);
        let rate = row.conversion.map(|rate| rate.as_share(row.count, texts));
        let key = if rate.is_some() {
            key!("funnel.slides.stage")
        } else {
            key!("funnel.slides.stage_without_rate")
        };
        let values = [("stage", &*row.name), ("count", &*number), ("rate", &*rate.unwrap_or_default())];
        texts.say(key, &values)
    });
    let bottlenecks = report.bottlenecks.iter().take(MOST_POINTS).map(|bottleneck| {
        let severity = texts.get(group!("funnel.severity").key(bottleneck.severity.name()));
        let why: Vec<&str> = bottleneck.reasons.iter().map(|reason| reason.text.as_str()).collect();
        let values = [("stage", &*bottleneck.name), ("severity", severity), ("why", &*why.join(" "))];
        texts.say(key!("funnel.slides.bottleneck"), &values)
    });
    let actions = report.fixes.iter().take(MOST_POINTS).map(|fix| {
        let values = [("fix", fix.text.as_str()), ("owner", fix.owner.display(texts))];
        texts.say(key!("funnel.slides.action"), &values)
    });
    let overview = super::render::summary(report).into_iter().map(|(label, value)| {
        texts.say(key!("funnel.slides.fact"), &[("label", label.as_str()), ("value", value.as_str())])
    });
    let slides = [
        Slide { title: title(key!("funnel.slides.overview")), points: overview.collect() },
        Slide { title: title(key!("funnel.slides.stages")), points: stages.collect() },
        Slide { title: title(key!("funnel.slides.bottlenecks")), points: bottlenecks.collect() },
        Slide { title: title(key!("funnel.slides.actions")), points: actions.collect() },
    ];
    slides.into_iter().filter(|slide| !slide.points.is_empty()).collect()
}
