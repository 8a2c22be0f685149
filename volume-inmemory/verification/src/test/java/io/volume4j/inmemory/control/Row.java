package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;

/**
 * One row of a table: what there is, and what there must be when the controller has settled. Objects are written as
 *
 * <pre>
 * claim c Bound v bc done      name, phase, volume, annotations (bound by the controller, binding completed)
 * volume v Bound c/uid-c bc    name, phase, claim with its UID, annotations; "-" for none
 * </pre>
 */
final class Row {
    private final String id;
    private final String what;
    private final List<ApiObject> given = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private boolean anyOrder;
    private boolean amongOthers;
    private Consumer<ControlBench> before = bench -> {};
    private Consumer<ControlBench> after = bench -> {};

    private Row(String id, String what) {
        this.id = id;
        this.what = what;
    }

    static Row row(String id, String what) {
        return new Row(id, what);
    }

    Row given(GivenVolume... volumes) {
        for (GivenVolume volume : volumes) {
            given.add(volume.made());
        }
        return this;
    }

    Row given(GivenClaim... claims) {
        for (GivenClaim claim : claims) {
            given.add(claim.made());
        }
        return this;
    }

    Row given(ApiObject... objects) {
        given.addAll(List.of(objects));
        return this;
    }

    /** Done before the controller starts. */
    Row when(Consumer<ControlBench> action) {
        before = action;
        return this;
    }

    Row expect(String... objects) {
        expected.addAll(List.of(objects));
        return this;
    }

    /** Reasons of all events, in order, as {@code Warning ClaimLost}. */
    Row told(String... reasons) {
        events.addAll(List.of(reasons));
        return this;
    }

    /** The same, in any order. */
    Row toldInAnyOrder(String... reasons) {
        anyOrder = true;
        return told(reasons);
    }

    /** The same, where others than the one that the row is about may tell things too. */
    Row toldAmongOthers(String... reasons) {
        amongOthers = true;
        return told(reasons);
    }

    /** Looked at in the end. */
    Row then(Consumer<ControlBench> check) {
        after = check;
        return this;
    }

    void run() {
        ControlBench bench = new ControlBench();
        given.forEach(bench::given);
        before.accept(bench);
        bench.startAndSettle();
        List<String> found = new ArrayList<>();
        for (ApiObject object : bench.cluster.export()) {
            if (object instanceof PersistentVolume volume) {
                found.add(shown(volume));
            } else if (object instanceof PersistentVolumeClaim claim) {
                found.add(shown(claim));
            }
        }
        assertThat(found).as(toString()).containsExactlyInAnyOrderElementsOf(expected);
        List<String> said = bench.events.all().stream()
                .map(event -> (event.type() == Event.Type.WARNING ? "Warning " : "Normal ") + event.reason())
                .toList();
        if (amongOthers) {
            assertThat(said).as("events of %s", this).containsAll(events);
        } else if (anyOrder) {
            assertThat(said).as("events of %s", this).containsExactlyInAnyOrderElementsOf(events);
        } else {
            assertThat(said).as("events of %s", this).containsExactlyElementsOf(events);
        }
        assertThat(bench.storage.violations()).isEmpty();
        after.accept(bench);
    }

    @Override
    public String toString() {
        return id + " " + what;
    }

    private static String shown(PersistentVolume volume) {
        ObjectReference claim = volume.spec().claimRef();
        StringJoiner text = new StringJoiner(" ");
        text.add("volume")
                .add(volume.metadata().name())
                .add(volume.status().phase().apiName());
        text.add(claim == null ? "-" : claim.uid().isEmpty() ? claim.name() : claim.name() + "/" + claim.uid());
        if (volume.spec().volumeMode() == VolumeMode.BLOCK) {
            text.add("block");
        }
        flags(volume, text);
        return text.toString();
    }

    private static String shown(PersistentVolumeClaim claim) {
        StringJoiner text = new StringJoiner(" ");
        text.add("claim")
                .add(claim.metadata().name())
                .add(claim.status().phase().apiName());
        text.add(claim.spec().volumeName().isEmpty() ? "-" : claim.spec().volumeName());
        flags(claim, text);
        return text.toString();
    }

    private static void flags(ApiObject object, StringJoiner text) {
        if (object.metadata().annotations().containsKey(WellKnown.BOUND_BY_CONTROLLER)) {
            text.add("bc");
        }
        if (object.metadata().annotations().containsKey(WellKnown.BIND_COMPLETED)) {
            text.add("done");
        }
        if (!object.metadata().finalizers().isEmpty()) {
            text.add("kept");
        }
        if (object.metadata().deleting()) {
            text.add("deleting");
        }
    }
}
