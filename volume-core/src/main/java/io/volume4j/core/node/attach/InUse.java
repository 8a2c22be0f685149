package io.volume4j.core.node.attach;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the control plane must not take from this node: attachable volumes that pods want, and all that are or may be
 * attached. Hosts that report it themselves hear when it changes. Loop thread only, but for {@link #listen} and {@link
 * #unlisten}, which go through the loop.
 */
public final class InUse {
    private static final Logger LOG = LoggerFactory.getLogger(InUse.class);

    private final EventLoop loop;
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final Predicate<String> over;
    private final List<Consumer<List<VolumeId>>> listeners = new ArrayList<>();
    private List<VolumeId> told = List.of();
    private boolean scheduled;
    /** Whether an earlier run's volumes are known: nothing is told before, because unknown is not empty. */
    private boolean known;

    /** @param over whether what the control plane gave for the volume can never be relied on any more */
    InUse(EventLoop loop, DesiredStateOfWorld desired, ActualStateOfWorld actual, Predicate<String> over) {
        this.loop = loop;
        this.desired = desired;
        this.actual = actual;
        this.over = over;
    }

    /** Whether an earlier run's volumes are known. */
    boolean known() {
        return known;
    }

    /** By the texts of their ids, each with the UID of the VolumeAttachment under which it is attached or {@code ""}. */
    Map<String, String> now() {
        Map<String, String> inUse = new LinkedHashMap<>();
        for (VolumeId id : desired.volumeIds()) {
            DesiredVolume volume = desired.volume(id);
            if (volume != null && !over.test(id.toString()) && volume.volume().attachable()) {
                inUse.put(id.toString(), "");
            }
        }
        for (ActualVolume volume : actual.all()) {
            if (volume.row().attach() != AttachState.DETACHED || volume.attaching()) {
                inUse.put(volume.row().id().toString(), Grants.heldUnder(volume.row()));
            }
        }
        return inUse;
    }

    public List<VolumeId> sorted() {
        return now().keySet().stream().map(VolumeId::parse).sorted().toList();
    }

    /** Has the listener hear of it as it is, as soon as that is known, and whenever it has changed. */
    public void listen(Consumer<List<VolumeId>> listener) {
        loop.execute(() -> {
            listeners.add(listener);
            if (known) {
                told = sorted();
                tell(listener);
            }
        });
    }

    /** What an earlier run left is known. */
    public void recovered() {
        known = true;
        told = sorted();
        new ArrayList<>(listeners).forEach(this::tell);
    }

    public void unlisten(Consumer<List<VolumeId>> listener) {
        loop.execute(() -> listeners.remove(listener));
    }

    /** It may have changed; what changes in one go is told in one go. */
    void changed() {
        if (known && !scheduled && !listeners.isEmpty()) {
            scheduled = true;
            loop.execute(() -> {
                scheduled = false;
                List<VolumeId> now = sorted();
                if (!now.equals(told)) {
                    told = now;
                    new ArrayList<>(listeners).forEach(this::tell);
                }
            });
        }
    }

    private void tell(Consumer<List<VolumeId>> listener) {
        try {
            listener.accept(told);
        } catch (RuntimeException | Error failed) {
            LOG.warn("listener of volumes in use failed reason=\"{}\"", failed.toString());
        }
    }
}
