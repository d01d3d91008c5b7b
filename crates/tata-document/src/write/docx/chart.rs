//! A funnel as a chart of Word's own: it stays sharp, can be restyled, and its numbers are text.

use super::{escaped, parts::HEAD};
use crate::Chart;

/// Writes the part of a chart.
pub(super) fn write(chart: &Chart, language: &str) -> String {
    let count = chart.stages.len();
    let point = |at: usize, value: &str| format!("<c:pt idx=\"{at}\"><c:v>{}</c:v></c:pt>", escaped(value));
    let names: String =
        chart.stages.iter().enumerate().map(|(at, stage)| point(at, stage.label.as_str())).collect();
    let values: String =
        chart.stages.iter().enumerate().map(|(at, stage)| point(at, &stage.count.to_string())).collect();
    let [_, _, counts] = &chart.columns;
    let text = |size: u16, bold: u8| {
        format!(
            "<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz=\"{size}\" b=\"{bold}\"><a:solidFill><a:srgbClr val=\"1A1A1A\"/>\
             </a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang=\"{language}\"/></a:p></c:txPr>"
        )
    };
    let no_line = "<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>";
    format!(
        "{HEAD}<c:chartSpace xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" \
         xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
         xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><c:lang val=\"{language}\"/>\
         <c:roundedCorners val=\"0\"/><c:chart><c:autoTitleDeleted val=\"1\"/><c:plotArea><c:layout/><c:barChart>\
         <c:barDir val=\"bar\"/><c:grouping val=\"clustered\"/><c:varyColors val=\"0\"/><c:ser><c:idx val=\"0\"/><c:order val=\"0\"/>\
         <c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:ptCount val=\"1\"/>{}</c:strCache></c:strRef></c:tx>\
         <c:spPr><a:solidFill><a:srgbClr val=\"2F6F9F\"/></a:solidFill></c:spPr><c:invertIfNegative val=\"0\"/>\
         <c:dLbls><c:numFmt formatCode=\"#,##0\" sourceLinked=\"0\"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>{}<c:dLblPos val=\"outEnd\"/>\
         <c:showLegendKey val=\"0\"/><c:showVal val=\"1\"/><c:showCatName val=\"0\"/><c:showSerName val=\"0\"/>\
         <c:showPercent val=\"0\"/><c:showBubbleSize val=\"0\"/></c:dLbls>\
         <c:cat><c:strRef><c:f>Sheet1!$A$2:$A${last}</c:f><c:strCache><c:ptCount val=\"{count}\"/>{names}</c:strCache></c:strRef></c:cat>\
         <c:val><c:numRef><c:f>Sheet1!$B$2:$B${last}</c:f><c:numCache><c:formatCode>#,##0</c:formatCode><c:ptCount val=\"{count}\"/>{values}\
         </c:numCache></c:numRef></c:val></c:ser><c:gapWidth val=\"45\"/><c:axId val=\"111\"/><c:axId val=\"222\"/></c:barChart>\
         <c:catAx><c:axId val=\"111\"/><c:scaling><c:orientation val=\"maxMin\"/></c:scaling><c:delete val=\"0\"/><c:axPos val=\"l\"/>\
         <c:numFmt formatCode=\"General\" sourceLinked=\"0\"/><c:majorTickMark val=\"none\"/><c:minorTickMark val=\"none\"/>\
         <c:tickLblPos val=\"nextTo\"/>{no_line}{}<c:crossAx val=\"222\"/><c:crosses val=\"autoZero\"/></c:catAx>\
         <c:valAx><c:axId val=\"222\"/><c:scaling><c:orientation val=\"minMax\"/><c:min val=\"0\"/></c:scaling><c:delete val=\"1\"/><c:axPos val=\"t\"/>\
         <c:numFmt formatCode=\"#,##0\" sourceLinked=\"0\"/><c:majorTickMark val=\"none\"/><c:minorTickMark val=\"none\"/>\
         <c:tickLblPos val=\"none\"/><c:crossAx val=\"111\"/><c:crosses val=\"autoZero\"/></c:valAx></c:plotArea>\
         <c:plotVisOnly val=\"1\"/><c:dispBlanksAs val=\"gap\"/></c:chart>\
         <c:spPr><a:solidFill><a:srgbClr val=\"FFFFFF\"/></a:solidFill><a:ln><a:noFill/></a:ln></c:spPr></c:chartSpace>",
        point(0, counts.as_str()),
        text(1000, 1),
        text(1000, 0),
        last = count + 1,
    )
}
