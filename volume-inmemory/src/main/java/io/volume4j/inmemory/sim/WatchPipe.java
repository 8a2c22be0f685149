package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection from the store to one watcher. Events of one object keep their order; those of different objects may not.
 * In rough weather events are late, repeated or lost; a loss ends the watch, so that the watcher lists again.
 */
final class WatchPipe implements WatchListener, Watch {
    private final Kind kind;
    private final SimProcess process;
    private final int incarnation;
    private final VirtualScheduler scheduler;
    private final Weather weather;
    private final WatchListener listener;
    private final List<WatchEvent> waiting = new ArrayList<>();
    private @Nullable Watch upstream;
    private final boolean inOrder;
    private boolean closed;
    private boolean blocked;

    WatchPipe(Kind kind, SimProcess process, VirtualScheduler scheduler, Weather weather, WatchListener listener) {
        this.kind = kind;
        this.process = process;
        this.incarnation = process.incarnation();
        this.scheduler = scheduler;
        this.weather = weather;
        this.inOrder = !process.world().makeup().course().judged();
        this.listener = listener;
    }

    Kind kind() {
        return kind;
    }

    void upstream(Watch watch) {
        upstream = watch;
        if (closed) {
            watch.close();
        }
    }

    @Override
    public void onEvent(WatchEvent event) {
        if (!listening()) {
            return;
        }
        waiting.add(event);
        Duration late = weather.delay(weather.turbulence().watchTrouble());
        if (late.isZero()) {
            scheduler.workers().execute(this::deliverOne);
        } else {
            scheduler.later(late, this::deliverOne);
        }
    }

    /** Stops delivery, or resumes it for all waiting events. */
    void block(boolean value) {
        blocked = value;
        if (!blocked) {
            for (int i = 0; i < waiting.size(); i++) {
                scheduler.workers().execute(this::deliverOne);
            }
        }
    }

    /** Breaks the connection: waiting events are lost. */
    void breakOff() {
        if (closed) {
            return;
        }
        waiting.clear();
        waiting.add(WatchEvent.expired());
        scheduler.workers().execute(this::deliverOne);
    }

    private void deliverOne() {
        if (!listening() || blocked || waiting.isEmpty()) {
            return;
        }
        WatchEvent event = waiting.remove(inOrder ? 0 : chooseOne());
        process.load().heard();
        if (event.type() == WatchEvent.Type.EXPIRED) {
            close();
            listener.onEvent(event);
            return;
        }
        if (weather.strikes(weather.turbulence().watchTrouble() / 8)) {
            breakOff();
            return;
        }
        listener.onEvent(event);
        if (weather.strikes(weather.turbulence().watchTrouble() / 2)) {
            listener.onEvent(event);
        }
    }

    /** Chooses the first event of any object; the end of the watch comes only after all other events. */
    private int chooseOne() {
        if (waiting.size() == 1) {
            return 0;
        }
        Set<Object> seen = new HashSet<>();
        List<Integer> firsts = new ArrayList<>();
        for (int i = 0; i < waiting.size(); i++) {
            WatchEvent event = waiting.get(i);
            if (event.object() == null) {
                if (i == 0) {
                    firsts.add(i);
                }
                break;
            }
            if (seen.add(event.object().key())) {
                firsts.add(i);
            }
        }
        return firsts.size() == 1 ? firsts.get(0) : firsts.get(weather.fate().nextInt(firsts.size()));
    }

    private boolean listening() {
        if (!closed && (process.incarnation() != incarnation || !process.alive())) {
            close();
        }
        return !closed;
    }

    /** Whether all events were delivered. */
    boolean drained() {
        return !closed && !blocked && waiting.isEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        waiting.clear();
        if (upstream != null) {
            upstream.close();
        }
        process.forget(this);
    }
}
