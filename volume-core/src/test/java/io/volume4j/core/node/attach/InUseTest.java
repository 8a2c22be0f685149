package io.volume4j.core.node.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.ManualLoop;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each listener hears each list that differs from the one before, also while others register. */
class InUseTest {
    private static final VolumeId DATA = VolumeId.shared("p", "data");

    private final ManualLoop loop = new ManualLoop();
    private final ActualStateOfWorld actual = new ActualStateOfWorld();
    private final InUse inUse = new InUse(loop, new DesiredStateOfWorld(), actual, id -> false);
    private final List<List<VolumeId>> first = new ArrayList<>();
    private final List<List<VolumeId>> second = new ArrayList<>();

    @Test
    void aListenerHearsOfAChangeDuringWhichAnotherOneRegisters() {
        inUse.recovered();
        inUse.listen(first::add);
        loop.run();

        // The loop registers the second one after the change, and before it calls the first one.
        inUse.listen(second::add);
        attached(DATA);
        loop.run();

        assertThat(first).containsExactly(List.of(), List.of(DATA));
        assertThat(second).containsExactly(List.of(DATA));
    }

    @Test
    void aChangeThatHadNoListenerIsInTheFirstListOfTheNextOne() {
        inUse.recovered();
        attached(DATA);

        inUse.listen(first::add);
        loop.run();

        assertThat(first).containsExactly(List.of(DATA));
    }

    private void attached(VolumeId id) {
        actual.put(VolumeRow.unknown(id, "v", false).withAttach(AttachState.ATTACHED));
        inUse.changed();
    }
}
