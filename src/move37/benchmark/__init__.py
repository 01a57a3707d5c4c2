"""What the package measures of itself: `move37 benchmark board|encode|search|net|start`."""
