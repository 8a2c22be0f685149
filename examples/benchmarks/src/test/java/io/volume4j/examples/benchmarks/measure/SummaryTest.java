package io.volume4j.examples.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.benchmarks.measure.Summary.Spread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SummaryTest {
    private final Summary summary = new Summary();

    private void round(double ratio) {
        summary.compared("mount", "p50", "1 us", "model <old>", "1 ms", ratio);
    }

    private String printed(int rounds) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        summary.print(new PrintStream(text, true, StandardCharsets.UTF_8), rounds);
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void saysOfEachRatioItsMedianAndItsSpread() {
        round(3);
        round(0.5);
        round(2);

        Spread spread = summary.spreads().get(0);

        assertThat(List.of(spread.least(), spread.median(), spread.greatest())).containsExactly(0.5, 2.0, 3.0);
        assertThat(printed(3)).contains("Ratios of 3 rounds", "2.00 x", "0.50 x", "3.00 x");
    }

    @Test
    void ofTwoRoundsTheMedianLiesBetween() {
        round(1);
        round(2);

        assertThat(summary.spreads().get(0).median()).isEqualTo(1.5);
    }

    @Test
    void marksWhatShouldNotBeReliedOn() {
        round(2);
        summary.doubt("mount", "the machine was busy");

        assertThat(printed(1)).contains("2.00 x *", "* mount should not be relied on: the machine was busy");
        assertThat(Plot.of(summary.spreads(), 1, "a machine")).contains("model &lt;old> *", "* measured on a busy");
    }

    @Test
    void whatWasTooSmallToBeMeasuredHasNoPlaceInAPlot() {
        round(0);
        summary.compared("csi", "call", "1 us", "stub", "0 us", Double.POSITIVE_INFINITY);
        summary.compared("csi", "other call", "1 us", "stub", "1 us", 1);

        assertThat(Plot.of(summary.spreads(), 1, "a machine"))
                .contains("other call")
                .doesNotContain("p50", ">call");
    }

    @Test
    void aPlotHasABarFromTheLeastToTheGreatestAroundTheMedian() throws Exception {
        round(0.1);
        round(1);
        round(10);

        Document plot = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        Plot.of(summary.spreads(), 3, "a machine").getBytes(StandardCharsets.UTF_8)));

        Element point = (Element) plot.getElementsByTagName("circle").item(0);
        Element bar = (Element) plot.getElementsByTagName("path").item(0);
        // 0.1 to 10 is the whole scale, from 470 to 910, and 1 is in its middle
        assertThat(point.getAttribute("cx")).isEqualTo("690.0");
        assertThat(bar.getAttribute("d")).startsWith("M470.0 68H910.0");
    }
}
