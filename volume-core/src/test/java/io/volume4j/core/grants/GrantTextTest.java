package io.volume4j.core.grants;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.GrantList.Grant;
import io.volume4j.spi.VolumeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written on nodes and attachments can be read again, whatever a driver calls its volumes. */
class GrantTextTest {
    private static final List<String> NAMES =
            List.of("plain", "with space", "two\nlines", "100%", "a^b", "%20", "%5E%25", "tab\there", "ü^ %0a", "-");

    @Test
    void readsGrantsAsTheyWereWritten() {
        for (String name : NAMES) {
            String volume = VolumeId.shared("d", name).toString();
            GrantList list = new GrantList(
                    Map.of(volume, new Grant("va", "uid", "7.p.1"), "d^other", new Grant("va2", "uid2", "")));

            assertThat(GrantList.parse(list.text())).as(name).contains(list);
        }
    }

    @Test
    void findsAGrantInTheTextWithoutReadingAll() {
        for (String name : NAMES) {
            String volume = VolumeId.shared("d", name).toString();
            Map<String, Grant> grants = new LinkedHashMap<>();
            grants.put("d^first", new Grant("va0", "uid0", "1"));
            grants.put(volume, new Grant("va", "uid", "7.p.1"));
            grants.put("d^last", new Grant("va2", "uid2", ""));
            String text = new GrantList(grants).text();

            grants.forEach((each, grant) ->
                    assertThat(GrantList.holds(text, each, grant)).as(each).isTrue());
            assertThat(GrantList.holds(text, volume, new Grant("va", "uid", "7.p.10")))
                    .isFalse();
            assertThat(GrantList.holds(text, volume, new Grant("va", "uid", "7.p.")))
                    .isFalse();
            assertThat(GrantList.holds(text, volume, new Grant("va", "uid-2", "7.p.1")))
                    .isFalse();
            assertThat(GrantList.holds(text, "^last", new Grant("va2", "uid2", "")))
                    .isFalse();
        }
        assertThat(GrantList.holds("", "d^first", new Grant("va0", "uid0", "1")))
                .isFalse();
    }

    @Test
    void readsReportsAsTheyWereWritten() {
        for (String name : NAMES) {
            String volume = VolumeId.ofPod("d", name, "pod uid").toString();
            InUseReport report = new InUseReport(3, "agent 1", Map.of(volume, "", "d^other", "uid"));

            assertThat(InUseReport.parse(report.text())).as(name).contains(report);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "report", "report x a", "report 1 a\nvolume", "report 1 a\nv u more", "v u"})
    void takesNothingForAReportThatIsNone(String text) {
        assertThat(InUseReport.parse(text)).isEmpty();
    }

    @Test
    void takesNothingForGrantsThatAreNone() {
        assertThat(GrantList.parse("v va uid")).isEmpty();
        assertThat(GrantList.parse("v va uid g more")).isEmpty();
    }

    @Test
    void emptyLinesSayNothing() {
        Grant grant = new Grant("va", "uid", "g");
        assertThat(GrantList.parse("\nv va uid g\n\nw va uid g"))
                .contains(new GrantList(Map.of("v", grant, "w", grant)));
        assertThat(GrantList.parse("\n")).contains(GrantList.none());
        assertThat(InUseReport.parse("report 1 a\n\nv u\n")).contains(new InUseReport(1, "a", Map.of("v", "u")));
    }

    @Test
    void onlyWhiteSpaceIsWrittenInDigits() {
        assertThat(GrantList.parse("%00a%20b%21c%1 va uid g").orElseThrow().grants())
                .containsOnlyKeys("\u0000a b%21c%1");
        assertThat(GrantList.parse("v%0 va uid g").orElseThrow().grants()).containsOnlyKeys("v%0");
        assertThat(GrantList.parse("v% va uid g").orElseThrow().grants()).containsOnlyKeys("v%");
    }

    @Test
    void aWordThatIsMissingIsNoEmptyWord() {
        for (String text : List.of(" va uid g", "v  uid g", "v va  g")) {
            assertThat(GrantList.parse(text)).as(text).isEmpty();
        }
        assertThat(GrantList.parse("v va uid ")).contains(new GrantList(Map.of("v", new Grant("va", "uid", ""))));
        assertThat(InUseReport.parse("report 1 a\n u")).isEmpty();
        assertThat(InUseReport.parse("report 1 a\nv ")).isEmpty();
    }

    @Test
    void namesNoTwoAttachmentsAlike() {
        String one = AttachmentName.shared("ab", VolumeId.shared("p", "c"), "n");
        assertThat(AttachmentName.shared("a", VolumeId.shared("bp", "c"), "n")).isNotEqualTo(one);
        assertThat(AttachmentName.shared("ab", VolumeId.shared("p", "cn"), "")).isNotEqualTo(one);
        assertThat(AttachmentName.shared("ab", VolumeId.ofPod("p", "c", "n"), "n"))
                .isNotEqualTo(one);
        assertThat(AttachmentName.exclusive("ab", VolumeId.shared("p", "c")))
                .isNotEqualTo(one)
                .isNotEqualTo(AttachmentName.exclusive("ab", VolumeId.shared("p", "cn")));
    }

    @Test
    void findsWhatAKubeControllerManagerAttached() {
        // sha256 of "handledrivernode"
        assertThat(AttachmentName.ofKubernetes("driver", "handle", "node"))
                .startsWith("csi-")
                .hasSize(4 + 64);
    }
}
