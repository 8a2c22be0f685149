package io.volume4j.core.plugins.flex;

import java.util.Locale;

/** What a flexvolume driver can be told, with what its failure says about the world. */
enum FlexCommand {
    INIT(false),
    GETVOLUMENAME(false),
    ATTACH(true),
    WAITFORATTACH(false),
    ISATTACHED(false),
    MOUNTDEVICE(true),
    UNMOUNTDEVICE(true),
    DETACH(true),
    MOUNT(true),
    UNMOUNT(true),
    EXPANDVOLUME(true),
    EXPANDFS(true);

    private final boolean effect;

    FlexCommand(boolean effect) {
        this.effect = effect;
    }

    /** Whether a failed call may have done something. */
    boolean hasEffect() {
        return effect;
    }

    /** As it stands on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
