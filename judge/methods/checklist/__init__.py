"""Line by line: every line of the rubric is met or not, with a scored example or without."""
