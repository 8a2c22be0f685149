package io.volume4j.ui.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState;
import io.volume4j.ui.rows.Row;
import io.volume4j.ui.rows.RowState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a volume on a node: each part of the way has the state of the step that leads to it. */
class ChainTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MOUNTED          |                | 0 | ok",
                "UNCERTAIN        |                | 0 | uncertain",
                "UNCERTAIN        | UNMOUNT        | 0 | working",
                "UNCERTAIN        | MOUNT          | 2 | uncertain",
                "FS_GROUP_PENDING | APPLY_FS_GROUP | 0 | working",
                "FS_GROUP_PENDING | APPLY_FS_GROUP | 1 | failing",
                "IDS_PENDING      | MAP_IDS        | 1 | failing",
                "SUBPATHS_PENDING | BIND_SUBPATHS  | 1 | failing",
                "FS_GROUP_PENDING | TELL_SIZE      | 1 | absent",
            })
    void aMountHasTheStateOfItsStep(String state, String kind, int attempts, String shown) {
        assertThat(shown(row("ATTACHED", "MOUNTED", state), kind, attempts, "Mount"))
                .isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Attachment | ATTACH           | 0 | working",
                "Attachment | CONFIRM_ATTACHED | 3 | failing",
                "Attachment | MOUNT            | 0 | absent",
                "Device     | MOUNT_DEVICE     | 0 | working",
                "Device     | MOUNT_DEVICE     | 1 | failing",
                "Device     | ATTACH           | 1 | absent",
            })
    void attachmentAndDeviceHaveTheStateOfTheirSteps(String part, String kind, int attempts, String shown) {
        assertThat(shown(row("DETACHED", "NONE", "MOUNTED"), kind, attempts, part))
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

    private static String shown(Row row, @Nullable String kind, int attempts, String part) {
        List<StepState> steps = kind == null
                ? List.of()
                : List.of(new StepState("does it", kind, StepState.Phase.RUNNING, "", attempts, "", Duration.ZERO));
        for (JsonNode each : Chain.of(row, new Explanation("volume", true, steps, List.of()), null)) {
            if (each.path("kind").asText().equals(part)) {
                return each.path("state").asText();
            }
        }
        throw new AssertionError("the chain has no " + part);
    }
}
