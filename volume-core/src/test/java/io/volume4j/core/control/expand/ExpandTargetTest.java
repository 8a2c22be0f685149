package io.volume4j.core.control.expand;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which size is next (KEP-1790): the volume's, the claim's wish and the size begun with, by whose turn it is. */
class ExpandTargetTest {
    @ParameterizedTest(name = "{0}: volume {1}, wanted {2}, begun {3}, final {4}, backend {5} -> {6}")
    @CsvSource(
            nullValues = "-",
            value = {
                // The volume is smaller than what is wanted.
                "NODE_INFEASIBLE,        1Gi, 3Gi, 2Gi, false, true,  2Gi",
                "NODE_PENDING,           1Gi, 3Gi, 2Gi, false, true,  2Gi",
                "NODE_PENDING,           2Gi, 3Gi, 2Gi, false, true,  -",
                "NODE_IN_PROGRESS,       1Gi, 3Gi, 2Gi, false, true,  2Gi",
                "NODE_IN_PROGRESS,       2Gi, 3Gi, 2Gi, false, true,  -",
                "CONTROLLER_IN_PROGRESS, 1Gi, 3Gi, 2Gi, false, true,  2Gi",
                "CONTROLLER_IN_PROGRESS, 1Gi, 3Gi, 2Gi, true,  true,  3Gi",
                "CONTROLLER_IN_PROGRESS, 1Gi, 2Gi, 5Gi, true,  true,  2Gi",
                "CONTROLLER_INFEASIBLE,  1Gi, 2Gi, 5Gi, false, true,  2Gi",
                "NONE,                   1Gi, 3Gi, -,   false, true,  3Gi",
                "NONE,                   1Gi, 3Gi, 2Gi, false, true,  3Gi",
                // The volume is as large already.
                "NODE_PENDING,           2Gi, 2Gi, 2Gi, false, true,  -",
                "NODE_IN_PROGRESS,       3Gi, 2Gi, 3Gi, false, true,  -",
                "NODE_INFEASIBLE,        3Gi, 2Gi, 3Gi, false, true,  3Gi",
                "NODE_INFEASIBLE,        3Gi, 2Gi, 3Gi, false, false, 2Gi",
                "CONTROLLER_IN_PROGRESS, 3Gi, 2Gi, 3Gi, false, true,  3Gi",
                "CONTROLLER_IN_PROGRESS, 3Gi, 2Gi, 3Gi, true,  true,  3Gi",
                "CONTROLLER_INFEASIBLE,  3Gi, 2Gi, 3Gi, false, true,  3Gi",
                "NONE,                   3Gi, 2Gi, 3Gi, false, true,  3Gi",
                "NONE,                   3Gi, 2Gi, -,   false, true,  2Gi",
            })
    void isOfTheTable(
            ResizeStatus status,
            String size,
            String wanted,
            @Nullable String begun,
            boolean failedForGood,
            boolean backend,
            @Nullable String next) {
        assertThat(ExpandTarget.of(
                                Quantity.parse(wanted),
                                Quantity.parse(size),
                                begun == null ? null : Quantity.parse(begun),
                                status,
                                failedForGood,
                                backend)
                        .map(Quantity::toString))
                .isEqualTo(Optional.ofNullable(next));
    }
}
