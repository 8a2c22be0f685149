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
 * The volumes that the control plane must not detach from this node: attachable volumes that pods want, and all that
 * are or may be attached. Hosts that report them themselves are called at each change. Loop thread only, except for
 * {@link #listen} and {@link #unlisten}, which post to the loop.
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
    /**
     * Whether the volumes of an earlier run are known. Listeners are not called before, because unknown is not empty.
     */
    private boolean known;

    /** @param over whether the volume's grant no longer counts */
    InUse(EventLoop loop, DesiredStateOfWorld desired, ActualStateOfWorld actual, Predicate<String> over) {
        this.loop = loop;
        this.desired = desired;
        this.actual = actual;
        this.over = over;
    }

    /** Whether the volumes of an earlier run are known. */
    boolean known() {
        return known;
    }

    /** The volumes in use by id, as text; each with the UID of its VolumeAttachment or {@code ""}. */
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

    /** Registers a listener. It is called with the first known list, and after each change. */
    public void listen(Consumer<List<VolumeId>> listener) {
        loop.execute(() -> {
            listeners.add(listener);
            if (known) {
                List<VolumeId> now = sorted();
                if (now.equals(told)) {
                    tell(listener);
                } else {
                    // The others hear of it now, too: a pending check finds no difference any more.
                    tellAll(now);
                }
            }
        });
    }

    /** The volumes of an earlier run are known now. */
    public void recovered() {
        known = true;
        tellAll(sorted());
    }

    public void unlisten(Consumer<List<VolumeId>> listener) {
        loop.execute(() -> listeners.remove(listener));
    }

    /** The list may have changed. Changes of one turn of the loop cause one call. */
    void changed() {
        if (known && !scheduled && !listeners.isEmpty()) {
            scheduled = true;
            loop.execute(() -> {
                scheduled = false;
                List<VolumeId> now = sorted();
                if (!now.equals(told)) {
                    tellAll(now);
                }
            });
        }
    }

    private void tellAll(List<VolumeId> now) {
        told = now;
        new ArrayList<>(listeners).forEach(this::tell);
    }

    private void tell(Consumer<List<VolumeId>> listener) {
        try {
            listener.accept(told);
        } catch (Throwable failed) {
            LOG.atWarn().addKeyValue("reason", failed.toString()).log("listener of volumes in use failed");
        }
    }
}
