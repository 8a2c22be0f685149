package io.volume4j.ui.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState;
import io.volume4j.ui.rows.Row;
import io.volume4j.ui.rows.RowState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a volume on a node: each part of the way has the state of the step that leads to it. */
class ChainTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MOUNTED          |                                                      | 0 | ok",
                "UNCERTAIN        |                                                      | 0 | uncertain",
                "UNCERTAIN        | unmount volume pv-data for pod default/a             | 0 | working",
                "UNCERTAIN        | mount volume pv-data for pod default/a               | 2 | uncertain",
                "FS_GROUP_PENDING | apply fsGroup to volume pv-data for pod default/a    | 0 | working",
                "FS_GROUP_PENDING | apply fsGroup to volume pv-data for pod default/a    | 1 | failing",
                "IDS_PENDING      | map the IDs of volume pv-data for pod default/a      | 1 | failing",
                "SUBPATHS_PENDING | bind subPaths of volume pv-data for pod default/a    | 1 | failing",
                "FS_GROUP_PENDING | report the size of volume pv-data                    | 1 | absent",
            })
    void aMountHasTheStateOfItsStep(String state, String step, int attempts, String shown) {
        assertThat(shown(row("ATTACHED", "MOUNTED", state), step, attempts, "Mount"))
                .isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Attachment | attach volume pv-data                | 0 | working",
                "Attachment | confirm attachment of volume pv-data | 3 | failing",
                "Attachment | mount volume pv-data                 | 0 | absent",
                "Device     | mount device of volume pv-data       | 0 | working",
                "Device     | mount device of volume pv-data       | 1 | failing",
                "Device     | attach volume pv-data                | 1 | absent",
            })
    void attachmentAndDeviceHaveTheStateOfTheirSteps(String part, String step, int attempts, String shown) {
        assertThat(shown(row("DETACHED", "NONE", "MOUNTED"), step, attempts, part))
                .isEqualTo(shown);
    }

    private static Row row(String attach, String device, String mount) {
        return new Row(
                "node",
                "volume",
                "volume",
                "pv-data",
                "",
                "example.org",
                List.of("default/a"),
                attach,
                device,
                "",
                List.of(new Row.Mount("default/a", mount, "/pods/a", false)),
                RowState.WORKING,
                "",
                "",
                0,
                0);
    }

    private static String shown(Row row, String step, int attempts, String part) {
        List<StepState> steps = step == null
                ? List.of()
                : List.of(new StepState(step, StepState.Phase.RUNNING, "", attempts, "", Duration.ZERO));
        for (JsonNode each : Chain.of(row, new Explanation("volume", true, steps, List.of()), null)) {
            if (each.path("kind").asText().equals(part)) {
                return each.path("state").asText();
            }
        }
        throw new AssertionError("the chain has no " + part);
    }
}
