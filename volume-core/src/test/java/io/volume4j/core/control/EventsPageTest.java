package io.volume4j.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.plan.EventReason;
import io.volume4j.core.control.ephemeral.EphemeralPlanner;
import io.volume4j.core.control.expand.ExpandReason;
import io.volume4j.core.control.health.HealthPlanner;
import io.volume4j.core.control.host.HostReason;
import io.volume4j.core.control.modify.ModifyReason;
import io.volume4j.core.control.move.MovePlanner;
import io.volume4j.core.control.selinux.SeLinuxPlanner;
import io.volume4j.core.control.snapshot.SnapshotReason;
import io.volume4j.core.node.NodeReason;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/events.md has a row for each reason of an event, and for no other. */
class EventsPageTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Za-z]+)` \\|", Pattern.MULTILINE);
    private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z]+");

    @Test
    void hasARowForEachReason() throws IOException, ReflectiveOperationException {
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../docs/events.md")));
        while (row.find()) {
            assertThat(rows.add(row.group(1))).as("one row for " + row.group(1)).isTrue();
        }
        assertThat(rows).isEqualTo(reasons());
    }

    private static Set<String> reasons() throws ReflectiveOperationException {
        Set<String> reasons = new TreeSet<>();
        for (Class<?> declaring : List.of(
                EventReason.class,
                HostReason.class,
                ExpandReason.class,
                ModifyReason.class,
                SnapshotReason.class,
                HealthPlanner.class,
                EphemeralPlanner.class,
                MovePlanner.class,
                SeLinuxPlanner.class,
                NodeReason.class,
                Class.forName("io.volume4j.core.control.attach.plan.EventReason"))) {
            for (Field field : declaring.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                    field.setAccessible(true);
                    String value = (String) field.get(null);
                    if (REASON.matcher(value).matches()) {
                        reasons.add(value);
                    }
                }
            }
        }
        return reasons;
    }
}
