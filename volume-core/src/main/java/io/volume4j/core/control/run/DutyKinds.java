package io.volume4j.core.control.run;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Which objects a duty needs to know, and about which of them it decides. */
final class DutyKinds {
    /** Of every duty. */
    private static final List<Kind> ALWAYS = List.of(
            Kind.STORAGE_CLASS,
            Kind.NODE,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.POD,
            Kind.VOLUME_ATTACHMENT);

    private DutyKinds() {}

    /** Kinds that are listed and watched. */
    static Map<Kind, Selection> watched(Duty duty) {
        Map<Kind, Selection> kinds = new EnumMap<>(Kind.class);
        ALWAYS.forEach(kind -> kinds.put(kind, Selection.all()));
        if (attributes(duty)) {
            kinds.put(Kind.VOLUME_ATTRIBUTES_CLASS, Selection.all());
        }
        if (duty.has(Task.DATA_SOURCES)) {
            kinds.put(Kind.REFERENCE_GRANT, Selection.all());
            kinds.put(Kind.VOLUME_POPULATOR, Selection.all());
        }
        return kinds;
    }

    /** Whether classes of attributes matter. */
    static boolean attributes(Duty duty) {
        return duty.has(Task.EXPANSION) || duty.has(Task.PROTECTION);
    }

    /** Kinds of objects that something is decided about, volumes before claims, because claims look for available ones. */
    static List<Kind> visited(Duty duty) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM));
        return kinds;
    }
}
